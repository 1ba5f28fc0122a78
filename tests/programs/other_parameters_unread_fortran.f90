real(8) function scaled(x, how)
  real(8) :: x
  character :: how
  scaled = x * x
  if (how == 'n') scaled = x
end function
