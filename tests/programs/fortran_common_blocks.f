! check: array n=6
C     Runge-Kutta with COMMON, SAVE, DATA, statement functions, labels.
      DOUBLE PRECISION FUNCTION OBJECTIVE(X, N) BIND(C)
      INTEGER, VALUE :: N
      DOUBLE PRECISION X(N)
      DOUBLE PRECISION ALPHA, BETA, GAMMA, DELTA, Y(2), T, H, S
      COMMON /RATES/ ALPHA, BETA, GAMMA, DELTA
      INTEGER I, NSTEP
      EXTERNAL LOTKA
      DATA NSTEP /20/
      ALPHA = X(1)
      BETA = X(2)
      GAMMA = X(3)
      DELTA = X(4)
      Y(1) = X(5)
      Y(2) = X(6)
      T = 0D0
      H = 0.05D0
      S = 0D0
      DO 10 I = 1, NSTEP
         CALL RK4(LOTKA, 2, T, Y, H)
         S = S + Y(1) * Y(2)
   10 CONTINUE
      OBJECTIVE = S + Y(1)
      END

      SUBROUTINE LOTKA(T, Y, F)
      DOUBLE PRECISION T, Y(*), F(*)
      DOUBLE PRECISION ALPHA, BETA, GAMMA, DELTA, MIX, U, V
      COMMON /RATES/ ALPHA, BETA, GAMMA, DELTA
      MIX(U, V) = U * V / (1D0 + 0.1D0 * U)
      F(1) = ALPHA * Y(1) - BETA * MIX(Y(1), Y(2))
      F(2) = DELTA * MIX(Y(1), Y(2)) - GAMMA * Y(2) * COS(T)
      RETURN
      END

      SUBROUTINE RK4(FCN, N, T, Y, H)
      INTEGER N, I, J
      DOUBLE PRECISION T, Y(N), H, K(10, 4), W(10), A(4), B(4)
      EXTERNAL FCN
      SAVE A, B
      DATA A /0D0, 0.5D0, 0.5D0, 1D0/
      DATA B /1D0, 2D0, 2D0, 1D0/
      DO 40 J = 1, 4
         DO 20 I = 1, N
            W(I) = Y(I)
            IF (J .GT. 1) W(I) = Y(I) + A(J) * H * K(I, J - 1)
   20    CONTINUE
         CALL FCN(T + A(J) * H, W, K(1, J))
   40 CONTINUE
      DO 60 I = 1, N
         DO 50 J = 1, 4
   50       Y(I) = Y(I) + H * B(J) * K(I, J) / 6D0
   60 CONTINUE
      T = T + H
      END
