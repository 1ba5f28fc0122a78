! check: array n=5
! Finite elements in one dimension: assembly through index arrays, boundary conditions, a banded Cholesky solver.
module elements
  implicit none
  integer, parameter :: dp = kind(1d0)
  type :: mesh
    real(dp), allocatable :: x(:)
    integer, allocatable :: connect(:, :)
  end type
contains
  subroutine make(m, n)
    type(mesh), intent(out) :: m
    integer, intent(in) :: n
    integer :: e
    allocate(m%x(n + 1), m%connect(2, n))
    m%x = [(real(e, dp) ** 1.1_dp / n, e = 0, n)]
    forall (e = 1:n) m%connect(:, e) = [e, e + 1]
  end subroutine
  subroutine assemble(m, conductivity, k, f)
    type(mesh), intent(in) :: m
    real(dp), intent(in) :: conductivity(:)
    real(dp), intent(out) :: k(:, :), f(:)
    real(dp) :: h, ke(2, 2)
    integer :: e
    k = 0
    f = 0
    do e = 1, size(m%connect, 2)
      associate (at => m%connect(:, e))
        h = m%x(at(2)) - m%x(at(1))
        ke = conductivity(e) / h * reshape([1, -1, -1, 1], [2, 2])
        k(at, at) = k(at, at) + ke
        f(at) = f(at) + h / 2 * [1, 1]
      end associate
    end do
  end subroutine
  subroutine cholesky(a, b)
    real(dp), intent(inout) :: a(:, :), b(:)
    integer :: i, j
    do j = 1, size(b)
      a(j, j) = sqrt(a(j, j) - dot_product(a(j, :j - 1), a(j, :j - 1)))
      do i = j + 1, size(b)
        a(i, j) = (a(i, j) - dot_product(a(i, :j - 1), a(j, :j - 1))) / a(j, j)
      end do
      b(j) = (b(j) - dot_product(a(j, :j - 1), b(:j - 1))) / a(j, j)
    end do
    do j = size(b), 1, -1
      b(j) = (b(j) - dot_product(a(j + 1:, j), b(j + 1:))) / a(j, j)
    end do
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: total, k(n + 1, n + 1), f(n + 1)
    type(mesh) :: m
    call make(m, n)
    call assemble(m, x, k, f)
    k(1, :) = 0
    k(:, 1) = 0
    k(1, 1) = 1
    f(1) = 0
    call cholesky(k, f)
    total = maxval(f) + sum(f ** 2)
  end function
end module
