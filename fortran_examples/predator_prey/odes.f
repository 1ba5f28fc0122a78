C     Predators and prey: their numbers at M times, by Runge and Kutta's
C     method. In the style of 1978; nothing here knows of derivatives.
      SUBROUTINE COUNTS(P, Y, M)
      INTEGER M, I, J
      DOUBLE PRECISION P(4), Y(2, M), STATE(2), T, DT
      DOUBLE PRECISION BIRTH, HUNT, DEATH, FEED
      COMMON /RATES/ BIRTH, HUNT, DEATH, FEED
      EXTERNAL CHANGE
      DATA DT /0.05D0/
      BIRTH = P(1)
      HUNT = P(2)
      DEATH = P(3)
      FEED = P(4)
      STATE(1) = 2D0
      STATE(2) = 1D0
      T = 0D0
      DO 20 I = 1, M
         DO 10 J = 1, 10
            CALL RK4(CHANGE, 2, T, STATE, DT)
   10    CONTINUE
         Y(1, I) = STATE(1)
         Y(2, I) = STATE(2)
   20 CONTINUE
      END

      SUBROUTINE CHANGE(T, Y, F)
      DOUBLE PRECISION T, Y(*), F(*), EATEN, U, V
      DOUBLE PRECISION BIRTH, HUNT, DEATH, FEED
      COMMON /RATES/ BIRTH, HUNT, DEATH, FEED
      EATEN(U, V) = HUNT * U * V / (1D0 + 0.1D0 * U)
      F(1) = BIRTH * Y(1) - EATEN(Y(1), Y(2))
      F(2) = FEED * EATEN(Y(1), Y(2)) - DEATH * Y(2)
      END

      SUBROUTINE RK4(FCN, N, T, Y, H)
      INTEGER N, I, J
      DOUBLE PRECISION T, Y(N), H, K(10, 4), W(10), A(4), B(4)
      EXTERNAL FCN
      SAVE A, B
      DATA A /0D0, 0.5D0, 0.5D0, 1D0/, B /1D0, 2D0, 2D0, 1D0/
      DO 40 J = 1, 4
         DO 30 I = 1, N
            W(I) = Y(I)
            IF (J .GT. 1) W(I) = Y(I) + A(J) * H * K(I, J - 1)
   30    CONTINUE
         CALL FCN(T + A(J) * H, W, K(1, J))
   40 CONTINUE
      DO 50 J = 1, 4
         DO 50 I = 1, N
            Y(I) = Y(I) + H * B(J) * K(I, J) / 6D0
   50 CONTINUE
      T = T + H
      END
