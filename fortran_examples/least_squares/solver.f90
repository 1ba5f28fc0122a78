! x that makes |A x - b| least, by LAPACK, and its derivative by the theorem of implicit functions: no derivative of
! what LAPACK does is needed.
!
! With r = b - A x the solution is where A'r = 0. So dx = inv(A'A) (dA'r - A'dA x), and for an adjoint x_bar of the
! solution, with w = inv(A'A) x_bar,
!
!     A_bar = r w' - (A w) x'
!
! (b is measured, and constant: the rule has no shadow of it.)
module solver
  use, intrinsic :: iso_c_binding
  implicit none
  external :: dgels
  type :: solution
    real(8), allocatable :: a(:, :), b(:), x(:), r(:, :)
  end type
contains
  subroutine solve(s, a, b)
    type(solution), intent(out) :: s
    real(8), intent(in) :: a(:, :), b(:)
    real(8) :: factors(size(a, 1), size(a, 2)), rhs(size(b)), work(64 * size(b))
    integer :: info
    factors = a
    rhs = b
    call dgels('N', size(a, 1), size(a, 2), 1, factors, size(a, 1), rhs, size(b), work, size(work), info)
    if (info /= 0) error stop 'the matrix has not full rank'
    s%a = a
    s%b = b
    s%x = rhs(:size(a, 2))
    s%r = factors(:size(a, 2), :)  ! A'A = R'R
  end subroutine

  subroutine least_squares(a, b, x, m, n) bind(C)
    integer(c_int), value :: m, n
    real(8), intent(in) :: a(m, n), b(m)
    real(8), intent(out) :: x(n)
    type(solution) :: s
    call solve(s, a, b)
    x = s%x
  end subroutine

  ! What the reverse pass needs goes with the tape: a and b may have changed until then.
  function augmented_least_squares(a, a_bar, b, x, x_bar, m, n) result(tape) bind(C)
    integer(c_int), value :: m, n
    real(8), intent(in) :: a(m, n), b(m)
    real(8) :: a_bar(m, n), x_bar(n)
    real(8), intent(out) :: x(n)
    integer(c_intptr_t) :: tape
    type(solution), pointer :: s
    allocate(s)
    call solve(s, a, b)
    x = s%x
    tape = transfer(c_loc(s), tape)
  end function

  subroutine reverse_least_squares(a, a_bar, b, x, x_bar, m, n, tape) bind(C)
    integer(c_int), value :: m, n
    real(8), intent(in) :: a(m, n), b(m), x(n)
    real(8), intent(inout) :: a_bar(m, n), x_bar(n)
    integer(c_intptr_t), value :: tape
    type(solution), pointer :: s
    real(8) :: w(n), aw(m), residual(m)
    integer :: i
    call c_f_pointer(transfer(tape, c_null_ptr), s)
    w = x_bar
    do i = 1, n
      w(i) = (w(i) - dot_product(s%r(:i - 1, i), w(:i - 1))) / s%r(i, i)
    end do
    do i = n, 1, -1
      w(i) = (w(i) - dot_product(s%r(i, i + 1:), w(i + 1:))) / s%r(i, i)
    end do
    aw = matmul(s%a, w)
    residual = s%b - matmul(s%a, s%x)
    do i = 1, n
      a_bar(:, i) = a_bar(:, i) + residual * w(i) - aw * s%x(i)
    end do
    x_bar = 0  ! the call overwrote x
    deallocate(s)
  end subroutine
end module
