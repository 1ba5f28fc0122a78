! check: array n=7,3,1
module particles
  use iso_c_binding, only: c_int, c_double
  implicit none
  type :: particle
    real(8) :: pos(3), vel(3)
  contains
    procedure :: force => no_force
  end type
  type, extends(particle) :: charged
    integer :: id
    real(8) :: q
  contains
    procedure :: force => coulomb
  end type
  type, extends(particle) :: spring
    real(8) :: k
    integer :: id
    real(8) :: anchor(3)
  contains
    procedure :: force => hooke
  end type
  type :: item
    class(particle), pointer :: p => null()
    type(item), pointer :: next => null()
  end type
  type :: list
    type(item), pointer :: head => null()
    integer :: n = 0
  contains
    procedure :: push
    procedure :: energy
    procedure :: free
  end type
contains
  function no_force(self) result(f)
    class(particle), intent(in) :: self
    real(8) :: f(3)
    f = -0.1d0*self%vel
  end function
  function coulomb(self) result(f)
    class(charged), intent(in) :: self
    real(8) :: f(3)
    f = self%q*self%pos/sum(self%pos**2)**1.5d0 - 0.05d0*self%vel*self%id
  end function
  function hooke(self) result(f)
    class(spring), intent(in) :: self
    real(8) :: f(3)
    f = -self%k*(self%pos - self%anchor)
  end function
  subroutine push(self, p)
    class(list), intent(inout) :: self
    class(particle), intent(in) :: p
    type(item), pointer :: it
    allocate(it)
    allocate(it%p, source=p)
    it%next => self%head
    self%head => it
    self%n = self%n + 1
  end subroutine
  real(8) function energy(self)
    class(list), intent(in) :: self
    type(item), pointer :: it
    energy = 0
    it => self%head
    do while (associated(it))
      energy = energy + 0.5d0*sum(it%p%vel**2)
      select type (p => it%p)
      class is (spring)
        energy = energy + 0.5d0*p%k*sum((p%pos - p%anchor)**2)
      end select
      it => it%next
    end do
  end function
  subroutine free(self)
    class(list), intent(inout) :: self
    type(item), pointer :: it
    do while (associated(self%head))
      it => self%head
      self%head => it%next
      deallocate(it%p)
      deallocate(it)
    end do
  end subroutine
  real(c_double) function objective(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(list) :: l
    type(charged) :: c
    type(spring) :: s
    type(item), pointer :: it
    integer :: i, t
    do i = 1, n
      select case (mod(i, 3))
      case (0)
        call l%push(particle([x(i), 1d0, x(1)], [x(n), x(i), 0d0]))
      case (1)
        c%pos = x(i)*[1, 2, 3]; c%vel = [x(1), x(i), x(n)]; c%q = x(i); c%id = i
        call l%push(c)
      case (2)
        s = spring(x(i)*[1, 1, 2], [0d0, x(i), x(1)], x(n), i, [0d0, x(1), x(i)])
        call l%push(s)
      end select
    end do
    do t = 1, 4
      it => l%head
      do while (associated(it))
        it%p%vel = it%p%vel + 0.1d0*it%p%force()
        it%p%pos = it%p%pos + 0.1d0*it%p%vel
        it => it%next
      end do
    end do
    objective = l%energy()
    call l%free()
  end function
end module
