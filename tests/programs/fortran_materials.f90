! check: array n=7,3,1
module materials
  use iso_c_binding, only: c_int, c_double
  implicit none
  type, abstract :: material
    real(8) :: density = 1
  contains
    procedure(stress_if), deferred :: stress
  end type
  abstract interface
    real(8) function stress_if(self, e)
      import material
      class(material), intent(inout) :: self
      real(8), intent(in) :: e
    end function
  end interface
  type, extends(material) :: elastic
    real(8) :: modulus
  contains
    procedure :: stress => elastic_stress
  end type
  type, extends(material) :: plastic
    real(8) :: modulus, yield, hardening, back = 0
    integer :: count = 0
  contains
    procedure :: stress => plastic_stress
  end type
contains
  real(8) function elastic_stress(self, e)
    class(elastic), intent(inout) :: self
    real(8), intent(in) :: e
    elastic_stress = self%modulus*e*self%density
  end function
  real(8) function plastic_stress(self, e)
    class(plastic), intent(inout) :: self
    real(8), intent(in) :: e
    plastic_stress = self%modulus*(e - self%back)
    if (plastic_stress > self%yield) then
      self%back = self%back + (plastic_stress - self%yield)/(self%modulus + self%hardening)
      plastic_stress = self%modulus*(e - self%back)
      self%count = self%count + 1
    end if
  end function
  real(c_double) function objective(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(elastic), target :: a
    type(plastic), target :: b
    class(material), pointer :: m
    real(8) :: s
    integer :: i
    a%modulus = x(1)**2
    b%modulus = 2*x(n); b%yield = x(1); b%hardening = 0.3d0*x(n)
    m => a
    s = 0
    do i = 1, n
      s = s + i*m%stress(x(i)*i)
      if (mod(i, 2) == 1) then
        m => b
      else
        m => a
        m%density = m%density*x(i)
      end if
    end do
    objective = s + b%count
  end function
end module
