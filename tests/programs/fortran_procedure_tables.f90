! check: array n=7,3
module procedure_tables
  use iso_c_binding, only: c_int, c_double
  use iso_fortran_env, only: real64, int32
  implicit none
  integer, parameter :: dp = real64
  type :: obj_entry
    procedure(rule), pointer, pass(self) :: apply => null()
    real(dp) :: w = 0
    integer(int32) :: uses = 0
  end type
  abstract interface
    function rule(self, x) result(y)
      import :: obj_entry, dp
      class(obj_entry), intent(inout) :: self
      real(dp), intent(in) :: x
      real(dp) :: y
    end function
    function residual(x, p) result(r)
      import :: dp
      real(dp), intent(in) :: x, p(:)
      real(dp) :: r
    end function
  end interface
  type(obj_entry), save :: table(4)
contains
  function twice(self, x) result(y)
    class(obj_entry), intent(inout) :: self
    real(dp), intent(in) :: x
    real(dp) :: y
    y = 2*self%w*x
    self%uses = self%uses + 1
  end function
  function cube(self, x) result(y)
    class(obj_entry), intent(inout) :: self
    real(dp), intent(in) :: x
    real(dp) :: y
    y = self%w + x**3
    self%w = self%w*1.1_dp
  end function
  function poly(x, p) result(r)
    real(dp), intent(in) :: x, p(:)
    real(dp) :: r
    integer :: i
    r = x**3 - 1
    do i = 1, size(p)
      r = r - 0.1_dp*p(i)*x**(mod(i, 3))
    end do
  end function
  function newton(f, start, p) result(x)
    procedure(residual) :: f
    real(dp), intent(in) :: start, p(:)
    real(dp) :: x, h, step
    integer :: k
    x = start
    h = 1e-6_dp
    do k = 1, 30
      step = f(x, p)*2*h/(f(x + h, p) - f(x - h, p))
      x = x - step
      if (abs(step) < 1e-13_dp) exit
    end do
  end function
  real(c_double) function objective(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    integer :: i
    procedure(residual), pointer :: f
    f => poly
    do i = 1, 4
      if (mod(i, 2) == 0) then
        table(i)%apply => twice
      else
        table(i)%apply => cube
      end if
      table(i)%w = x(1 + mod(i, n))
      table(i)%uses = 0
    end do
    objective = newton(f, 1.5_dp, x)
    do i = 1, 2*n
      objective = objective + table(1 + mod(i, 4))%apply(x(1 + mod(i, n)))
    end do
    objective = objective + sum(table%uses)
  end function
end module
