! check: array n=6
! associate, block, select rank and case, pointers with bounds, saved module variables.
module physics
  implicit none
  real(8), save :: table(3) = [1d0, 2d0, 4d0]
  real(8), allocatable, save :: cache(:)
  integer, parameter :: primes(*) = [2, 3, 5, 7]
  interface energy
    module procedure energy_scalar, energy_array
  end interface
contains
  function energy_scalar(x) result(e)
    real(8), intent(in) :: x
    real(8) :: e
    e = x ** 2
  end function
  function energy_array(x) result(e)
    real(8), intent(in) :: x(:)
    real(8) :: e
    e = sum(x ** 2) / size(x)
  end function
  function by_rank(a) result(s)
    real(8), intent(in) :: a(..)
    real(8) :: s
    select rank (a)
    rank (0)
      s = a
    rank (1)
      s = sum(a)
    rank (2)
      s = sum(a(:, 1))
    rank default
      s = 0
    end select
  end function
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    real(8), allocatable :: a(:), b(:, :), c(:, :)
    real(8), pointer :: p(:), q(:, :)
    real(8), target :: t(n)
    integer :: i, st
    character(len=60) :: msg
    allocate(cache(n), stat=st, errmsg=msg)
    if (st /= 0) stop 1
    cache = x
    table(2) = x(2)
    total = energy(x(1)) + energy(x(2:))
    associate (u => x(1), v => cache(2:4), s => x(1) * x(2))
      v = v * u
      total = total + s + sum(v)
    end associate
    block
      real(8) :: local(n)
      integer :: k
      do k = 1, n
        local(k) = x(k) * table(mod(k, 3) + 1) * primes(mod(k, 4) + 1)
      end do
      total = total + sum(local)
    end block
    allocate(a, source=x)
    allocate(b(2, 3), mold=c)
    b = reshape(a, [2, 3])
    allocate(c, mold=b)
    c = b * 2
    t = x
    p => t(2:n:2)
    p = p ** 2
    q(1:2, 1:3) => t
    q(2, 2) = q(2, 2) * q(1, 1)
    total = total + by_rank(a) + by_rank(c) + by_rank(x(3)) + sum(t) + sum(p) * q(1, 3)
    select case (int(x(1) * 10))
    case (:7)
      total = total * x(2)
    case (8, 9)
      total = total + x(2)
    case default
      total = total - x(2)
    end select
    outer: do i = 1, n
      if (x(i) > 1.2d0) cycle outer
      total = total + x(i)
      if (total > 1d6) exit outer
    end do outer
    deallocate(cache)
  end function
end module
