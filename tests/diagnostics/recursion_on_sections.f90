module sorted
  use, intrinsic :: iso_c_binding
  implicit none
  type :: sample
    integer :: id
    real(4) :: time
    real(8) :: value
  end type
contains
  recursive subroutine sort(a)
    type(sample), intent(inout) :: a(:)
    type(sample) :: kept
    integer :: i
    if (size(a) < 2) return
    do i = 1, size(a) - 1
      if (a(i)%id > a(i + 1)%id) then
        kept = a(i)
        a(i) = a(i + 1)
        a(i + 1) = kept
      end if
    end do
    call sort(a(:size(a) - 1))
  end subroutine

  function loss(x, n) result(f)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: f
    type(sample) :: a(n)
    integer :: i
    do i = 1, n
      a(i) = sample(mod(i * 5, 7), real(x(i)), x(i))
    end do
    call sort(a)
    f = sum(a%value * a%time)
  end function
end module

program main
  use enzyme
  use sorted
  implicit none
  real(8) :: x(4), dx(4)
  x = [1d0, 2d0, 3d0, 4d0]
  dx = 0
  call enzyme_autodiff(loss, enzyme_dup, x, dx, enzyme_const, 4)
  print *, dx
end program
