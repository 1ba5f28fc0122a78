! check: array n=8 real=float refused=E0113@-O2-fno-inline
! Arrays of a type that has numbers and integers of four bytes: by elements, by components, the last one by its number.
module phys
  implicit none
  real, parameter :: grav = 9.81
  type cell
    real :: h, hu
    integer :: id
    logical :: wet
  end type
contains
  elemental function flux(l, r) result(f)
    type(cell), intent(in) :: l, r
    type(cell) :: f
    real :: c, ul, ur
    ul = merge(l%hu / l%h, 0.0, l%wet)
    ur = merge(r%hu / r%h, 0.0, r%wet)
    c = max(abs(ul) + sqrt(grav * l%h), abs(ur) + sqrt(grav * r%h))
    f%h = 0.5 * (l%hu + r%hu) - 0.5 * c * (r%h - l%h)
    f%hu = 0.5 * (l%hu * ul + 0.5 * grav * l%h**2 + r%hu * ur + 0.5 * grav * r%h**2) - 0.5 * c * (r%hu - l%hu)
    f%id = l%id
    f%wet = l%wet .and. r%wet
  end function
  subroutine advance(c, dt)
    type(cell), intent(inout) :: c(:)
    real, intent(in) :: dt
    type(cell), allocatable :: f(:)
    integer :: n
    n = size(c)
    f = flux(c(:n-1), c(2:))
    c(2:n-1)%h = c(2:n-1)%h - dt * (f(2:)%h - f(:n-2)%h)
    c(2:n-1)%hu = c(2:n-1)%hu - dt * (f(2:)%hu - f(:n-2)%hu)
    c(1) = c(2); c(n) = c(n-1)
    c%wet = c%h > 1e-3
  end subroutine
end module
function objective(x, n) result(f) bind(C)
  use phys
  use iso_c_binding
  implicit none
  integer(c_int), value :: n
  real(c_float), intent(in) :: x(n)
  real(c_float) :: f
  type(cell) :: c(n)
  integer :: i
  c = [(cell(x(i), 0.1 * x(i), i, .true.), i = 1, n)]
  do i = 1, 6
    call advance(c, 0.02)
  end do
  f = sum(c%h * c%id) + sum(c%hu**2)
end function
