! check: array n=6
! A list that grows of objects with a name, numbers and an integer; the name comes from an argument of any length.
module species_m
  implicit none
  type species
    character(12) :: name
    real(8) :: mass
    real(8) :: pos(3)
    integer :: kind
  end type
  type(species), allocatable :: all(:)
contains
  subroutine add(name, m, p, k)
    character(*), intent(in) :: name
    real(8), intent(in) :: m, p(3)
    integer, intent(in) :: k
    type(species) :: s
    s%name = name
    s%mass = m
    s%pos = p
    s%kind = k
    if (.not. allocated(all)) allocate(all(0))
    all = [all, s]
  end subroutine
end module
real(8) function objective(x, n) bind(C)
  use species_m
  implicit none
  integer(4), value :: n
  real(8), intent(in) :: x(n)
  integer :: i, j
  real(8) :: d(3)
  call add("sun", x(1), x(2:4), 1)
  call add("earth", x(2)*x(3), x(4:6), 2)
  call add("moon", x(5), x(1:3)*x(2:4), 3)
  objective = 0
  do i = 1, size(all)
    do j = i + 1, size(all)
      d = all(i)%pos - all(j)%pos
      objective = objective + all(i)%mass*all(j)%mass/sqrt(0.1d0 + dot_product(d, d))
    end do
    if (all(i)%name == "earth") objective = objective*all(i)%mass
  end do
  deallocate(all)
end function
