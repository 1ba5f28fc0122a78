"""What the source of Fortran's modules calls procedures that other languages call."""

from __future__ import annotations

import pytest

from enzyme_build.bindings.bound_names import bound_names

FREE = """
! module not_this
Module Springs  ! function f() bind(C)
  use iso_c_binding
  interface
    function callback(x) bind(C)
      import
      real(c_double), value :: x
    end function
  end interface
contains
  real(c_double) function Energy(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    energy = sum(x)
  end function Energy
  pure subroutine forces(x, &  ! the places
      & f) &
      bind ( c , name = "Spring_Forces" )
    real(c_double), intent(in) :: x
  end subroutine
  module procedure inner
  end procedure
  subroutine plain(x)
    print *, "end module"
  end subroutine
end module Springs
function alone(x) result(y) bind(C)
end function
submodule (springs) details
contains
  function length(x) result(y) bind(C, name='len')
  end function
end submodule
"""
FIXED = """
C     MODULE NO
      MODULE OLD
      CONTAINS
      DOUBLE PRECISION FUNCTION LOSS(X,
     &  N) BIND(C)
      END FUNCTION
      END MODULE
"""


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "a.f90",
            FREE,
            {"energy": "springs::energy", "Spring_Forces": "springs::forces", "len": "details::length"},
        ),
        ("a.f", FIXED, {"loss": "old::loss"}),
        ("empty.f90", "", {}),
    ],
)
def test_names_in_modules(tmp_path, name, text, told):
    (tmp_path / name).write_text(text)
    assert bound_names(tmp_path / name) == told
