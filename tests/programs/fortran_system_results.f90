! check: array n=6
! What the runtime library writes through descriptors of variables, where these were read before: exit status, the
! environment, the state of the random numbers.
module system_results
  use iso_c_binding
  implicit none
contains
  function commands(x, n) result(s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: s
    integer :: status, failed, i
    s = 0
    status = 1
    failed = 2
    do i = 1, 3
      s = s + x(1 + status) * x(1 + mod(status * i + n, 6)) * x(1 + mod(failed, 6))
      call execute_command_line('exit 4', exitstat=status, cmdstat=failed)
    end do
  end function

  function environment(x, n) result(s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: s
    character(8) :: text
    integer :: length, status, i
    s = 0
    text = '1234'
    length = 4
    status = 3
    do i = 1, 2
      s = s + x(1 + mod(ichar(text(1:1)), 6)) * x(1 + mod(ichar(text(n - 3:n - 3)), 6)) * x(length + 1) * x(status + 2)
      call get_environment_variable('NO_SUCH_VARIABLE', value=text, length=length, status=status)
    end do
  end function

  function seeds(x, n) result(s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: s
    integer :: k, i
    integer, allocatable :: seed(:)
    call random_seed(size=k)
    allocate (seed(k))
    seed = 5
    s = 0
    do i = 1, 3
      s = s + x(1 + modulo(seed(1), 6)) * x(1 + modulo(seed(1) / 7 + n * i, 6)) * x(i)
      call random_seed(put=[(17 * i + n, k = 1, size(seed))])
      call random_seed(get=seed)
    end do
  end function

  function objective(x, n) bind(c) result(s)
    integer(c_int), value :: n
    real(8), intent(in) :: x(n)
    real(8) :: s
    s = commands(x, n) + environment(x, n) + seeds(x, n)
  end function
end module
