! check: array n=6
! The shadow of one character on the stack of a recursive procedure is a whole word of zeros.
module catalogue
  implicit none
  type :: star
    real(8) :: flux
    character :: class
  end type
contains
  recursive subroutine walk(s)
    type(star), intent(inout) :: s(:)
    type(star) :: pivot
    character :: first
    if (size(s) < 2) return
    pivot = s(1)
    first = pivot%class
    if (first == 'a') s(1)%flux = s(1)%flux * s(2)%flux
    call walk(s(2:))
    s(2)%flux = s(2)%flux + pivot%flux
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(star) :: s(n)
    s%flux = x
    s%class = 'a'
    call walk(s)
    total = sum(s%flux)
  end function
end module
