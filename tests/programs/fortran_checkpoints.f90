! check: main
! Checkpointed loops in Fortran: automatic and allocatable arrays, module variables, arguments whose bytes are told.
module heat
  use enzyme
  implicit none
  real(8) :: scale(4)
contains
  real(8) function own_arrays(k, n, steps)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: k(n)
    real(8) :: u(n), v(n), t
    real(8), allocatable :: w(:)
    integer :: i, s
    allocate (w(n))
    do i = 1, n
      u(i) = sin(0.3d0*i); v(i) = 0; w(i) = 1
    end do
    scale = 1
    t = 0
    do s = 1, steps
      call enzyme_checkpoint(0)
      do i = 2, n - 1
        v(i) = v(i) + k(i)*(u(i - 1) - 2*u(i) + u(i + 1))*w(i)
      end do
      u = u + 0.1d0*v*scale(mod(s, 4) + 1)
      w(:) = w(:) + 0.01d0*u**2
      scale = scale*(1 + 0.001d0*u(5))
      t = t + u(3)**2
    end do
    own_arrays = t + sum(u*w)
  end function

  subroutine march(u, k, n, steps)
    integer, intent(in) :: n, steps
    real(8), intent(inout) :: u(n)
    real(8), intent(in) :: k(n)
    integer :: i, s
    do s = 1, steps
      call enzyme_checkpoint(-1)
      call enzyme_checkpoint_memory(u, 8*n)
      do i = 2, n
        u(i) = u(i) + 0.01d0*k(i)*u(i - 1)*cos(u(i))
      end do
    end do
  end subroutine

  real(8) function told(k, n, steps)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: k(n)
    real(8) :: u(n)
    u = k**2 + 1
    call march(u, k, n, steps)
    told = sum(u**2)
  end function
end module

program checkpoints
  use heat
  implicit none
  integer, parameter :: n = 12, steps = 70
  real(8) :: k(n), first(n), second(n), direction(n), forward, forward_bar
  integer :: i
  logical :: wrong
  do i = 1, n
    k(i) = 0.1d0 + 0.01d0*i
    direction(i) = cos(1d0*i)
  end do
  first = 0
  second = 0
  call enzyme_autodiff(own_arrays, k, first, n, steps)
  call enzyme_fwddiff(own_arrays, k, direction, n, steps, forward, forward_bar)
  wrong = abs(sum(first*direction) - forward_bar) > 1d-11*(1 + abs(forward_bar))
  wrong = wrong .or. abs(forward - own_arrays(k, n, steps)) > 1d-12*abs(forward)
  call enzyme_autodiff(told, k, second, n, steps)
  call enzyme_fwddiff(told, k, direction, n, steps, forward, forward_bar)
  wrong = wrong .or. abs(sum(second*direction) - forward_bar) > 1d-11*(1 + abs(forward_bar))
  if (wrong .or. abs(forward_bar) < 1d-3) then
    print *, sum(first*direction), sum(second*direction), forward_bar
    stop 1
  end if
end program
