! check: array n=6
! Text that is written to variables, to arrays of text and to allocated text, and was read before: what the derivative
! needs of the old text cannot be read from there any more.
module written_text
  use iso_c_binding
  implicit none
contains
  function digit(c) result(k)
    character(1), intent(in) :: c
    integer :: k
    k = ichar(c) - ichar('0')
  end function

  function variable(x, n) result(s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: s
    character(8) :: line
    integer :: r
    s = 0
    line = '3'
    do r = 1, 3
      s = s + sin(x(digit(line(1:1))))
      write (line, '(i0)') 1 + mod(r * n, 6)
    end do
  end function

  recursive subroutine next(k, line, n)
    integer, intent(inout) :: k
    character(*), intent(inout) :: line
    integer, intent(in) :: n
    if (n < 0) then
      call next(k, line, n + 1)
      return
    end if
    read (line, *) k
    write (line, *) 1 + mod(k * n, 6)
  end subroutine

  function called(x, n) result(s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: s
    character(16) :: line
    integer :: r, k
    s = 0
    k = 2
    line = '3'
    do r = 1, 5
      s = s + x(k) * x(1 + mod(k, 6))
      call next(k, line, n + r)
      s = s + sin(x(k) * s) * x(1 + mod(ichar(line(len_trim(line):len_trim(line))), 6))
    end do
  end function

  function lines(x, n) result(s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: s
    character(4) :: text(3)
    integer :: i, j
    s = 0
    text = '3'
    do i = 1, 3
      do j = 1, 3
        s = s + x(digit(text(j)(1:1))) * x(digit(text(1 + mod(j * n + i, 3))(1:1))) * x(i)
      end do
      write (text, '(i1)') 1 + mod(i * n, 6), 1 + mod(i, 6), 4
    end do
  end function

  function allocated_text(x, n) result(s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: s
    character(:), allocatable :: text
    character(32) :: group
    integer :: i, k(3)
    namelist /options/ k
    s = 0
    text = '12'
    k = 2
    do i = 1, 3
      s = s + x(digit(text(1:1))) * x(k(i)) * x(k(1))
      write (text, '(i0)') 10 * i + 2
      s = s + x(digit(text(1:1))) * x(digit(text(2:2)))
      write (group, '(a,i0,a)') '&options k(1)=', 1 + mod(i * n + 2, 6), ', k(2)=5 /'
      read (group, nml=options)
    end do
  end function

  function objective(x, n) bind(c) result(s)
    integer(c_int), value :: n
    real(8), intent(in) :: x(n)
    real(8) :: s
    s = variable(x, n) + called(x, n) + lines(x, n) + allocated_text(x, n)
  end function
end module
