! check: array n=7,3,1
module reading_text
  use iso_c_binding, only: c_int, c_double
  implicit none
contains
  recursive real(8) function eval(text, x, pos) result(r)
    character(*), intent(in) :: text
    real(8), intent(in) :: x(:)
    integer, intent(inout) :: pos
    integer :: k, status
    real(8) :: c
    character(len=8) :: word
    select case (text(pos:pos))
    case ('+')
      pos = pos + 1
      r = eval(text, x, pos)
      r = r + eval(text, x, pos)
    case ('*')
      pos = pos + 1
      r = eval(text, x, pos)
      r = r * eval(text, x, pos)
    case ('x')
      read (text(pos+1:pos+1), '(i1)') k
      pos = pos + 2
      r = x(1 + mod(k, size(x)))
    case default
      read (text(pos:pos+2), *, iostat=status) c
      write (word, '(i0)') pos
      pos = pos + 3
      r = c + len_trim(word)
    end select
  end function
  recursive subroutine bisect(x, depth, label, r)
    real(8), intent(in) :: x(:)
    integer, intent(in) :: depth
    character(*), intent(in) :: label
    real(8), intent(inout) :: r
    character(len=32) :: next
    integer :: h, d
    if (depth == 0 .or. size(x) < 2) then
      read (label, '(i8)') d
      r = r + d*sum(x**2)
      return
    end if
    h = size(x)/2
    write (next, '(i8)') depth
    call bisect(x(:h), depth - 1, next, r)
    write (next, '(i8)') depth + 1
    call bisect(x(h+1:), depth - 1, next, r)
  end subroutine
  real(c_double) function objective(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    integer :: pos
    pos = 1
    objective = eval('+*x0x1+2.5*x2x3', x, pos)
    call bisect(x, 3, '       1', objective)
  end function
end module
