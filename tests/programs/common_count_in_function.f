! check: array n=6 range=0.4:1.3
! Fixed form: the count of a COMMON block is an index into its numbers, in another function.
      DOUBLE PRECISION FUNCTION OBJECTIVE(X, N) BIND(C)
      USE ISO_C_BINDING
      INTEGER(C_INT), VALUE :: N
      REAL(C_DOUBLE) X(N)
      DOUBLE PRECISION PAR, F1
      COMMON /PARAMS/ PAR(6), NPAR
      NPAR = N
      DO 10 I = 1, N
   10 PAR(I) = X(I)
      OBJECTIVE = F1(X(1))
      END

      DOUBLE PRECISION FUNCTION F1(T)
      DOUBLE PRECISION T, PAR
      COMMON /PARAMS/ PAR(6), NPAR
      F1 = PAR(2)*COS(PAR(NPAR)*T)
      END
