// check: array n=6,2
// A state machine of many states in one switch, some of which fall through, with ranges and far values.
double objective(const double *x, int n)
{
    double value = 0.5;
    int state = 1;
    for (int step = 0; step < 60; step++) {
        switch (state) {
        case 1:
            value = value * x[1 % n] + 1.1;
            state = 48 + (value > 3.0);
            break;
        case 2:
            value = value * x[2 % n] + 2.2;
            state = 85 + (value > 3.0);
            break;
        case 3:
            value = 0.3 * value - x[(3 + step) % n];
            // fall through
        case 4:
            value = value * x[4 % n] + 4.4;
            state = 9 + (value > 3.0);
            break;
        case 5:
            value = value * x[5 % n] + 5.5;
            state = 46 + (value > 3.0);
            break;
        case 6:
            value = 0.3 * value - x[(6 + step) % n];
            // fall through
        case 7:
            value = value * x[7 % n] + 0.7;
            state = 120 + (value > 3.0);
            break;
        case 8:
            value = value * x[8 % n] + 1.8;
            state = 7 + (value > 3.0);
            break;
        case 9:
            value = 0.3 * value - x[(9 + step) % n];
            // fall through
        case 10:
            value = value * x[10 % n] + 3.0;
            state = 81 + (value > 3.0);
            break;
        case 11:
            value = value * x[11 % n] + 4.1;
            state = 118 + (value > 3.0);
            break;
        case 12:
            value = 0.3 * value - x[(12 + step) % n];
            // fall through
        case 13:
            value = value * x[13 % n] + 6.3;
            state = 42 + (value > 3.0);
            break;
        case 14:
            value = value * x[14 % n] + 0.4;
            state = 79 + (value > 3.0);
            break;
        case 15:
            value = 0.3 * value - x[(15 + step) % n];
            // fall through
        case 16:
            value = value * x[16 % n] + 2.6;
            state = 3 + (value > 3.0);
            break;
        case 17:
            value = value * x[17 % n] + 3.7;
            state = 40 + (value > 3.0);
            break;
        case 18:
            value = 0.3 * value - x[(18 + step) % n];
            // fall through
        case 19:
            value = value * x[19 % n] + 5.9;
            state = 114 + (value > 3.0);
            break;
        case 20:
            value = value * x[20 % n] + 6.0;
            state = 1 + (value > 3.0);
            break;
        case 21:
            value = 0.3 * value - x[(21 + step) % n];
            // fall through
        case 22:
            value = value * x[22 % n] + 1.2;
            state = 75 + (value > 3.0);
            break;
        case 23:
            value = value * x[23 % n] + 2.3;
            state = 112 + (value > 3.0);
            break;
        case 24:
            value = 0.3 * value - x[(24 + step) % n];
            // fall through
        case 25:
            value = value * x[25 % n] + 4.5;
            state = 36 + (value > 3.0);
            break;
        case 26:
            value = value * x[26 % n] + 5.6;
            state = 73 + (value > 3.0);
            break;
        case 27:
            value = 0.3 * value - x[(27 + step) % n];
            // fall through
        case 28:
            value = value * x[28 % n] + 0.8;
            state = 147 + (value > 3.0);
            break;
        case 29:
            value = value * x[29 % n] + 1.9;
            state = 34 + (value > 3.0);
            break;
        case 30:
            value = 0.3 * value - x[(30 + step) % n];
            // fall through
        case 31:
            value = value * x[31 % n] + 3.1;
            state = 108 + (value > 3.0);
            break;
        case 32:
            value = value * x[32 % n] + 4.2;
            state = 145 + (value > 3.0);
            break;
        case 33:
            value = 0.3 * value - x[(33 + step) % n];
            // fall through
        case 34:
            value = value * x[34 % n] + 6.4;
            state = 69 + (value > 3.0);
            break;
        case 35:
            value = value * x[35 % n] + 0.5;
            state = 106 + (value > 3.0);
            break;
        case 36:
            value = 0.3 * value - x[(36 + step) % n];
            // fall through
        case 37:
            value = value * x[37 % n] + 2.7;
            state = 30 + (value > 3.0);
            break;
        case 38:
            value = value * x[38 % n] + 3.8;
            state = 67 + (value > 3.0);
            break;
        case 39:
            value = 0.3 * value - x[(39 + step) % n];
            // fall through
        case 40:
            value = value * x[40 % n] + 5.0;
            state = 141 + (value > 3.0);
            break;
        case 41:
            value = value * x[41 % n] + 6.1;
            state = 28 + (value > 3.0);
            break;
        case 42:
            value = 0.3 * value - x[(42 + step) % n];
            // fall through
        case 43:
            value = value * x[43 % n] + 1.3;
            state = 102 + (value > 3.0);
            break;
        case 44:
            value = value * x[44 % n] + 2.4;
            state = 139 + (value > 3.0);
            break;
        case 45:
            value = 0.3 * value - x[(45 + step) % n];
            // fall through
        case 46:
            value = value * x[46 % n] + 4.6;
            state = 63 + (value > 3.0);
            break;
        case 47:
            value = value * x[47 % n] + 5.7;
            state = 100 + (value > 3.0);
            break;
        case 48:
            value = 0.3 * value - x[(48 + step) % n];
            // fall through
        case 49:
            value = value * x[49 % n] + 0.9;
            state = 24 + (value > 3.0);
            break;
        case 50:
            value = value * x[50 % n] + 1.0;
            state = 61 + (value > 3.0);
            break;
        case 51:
            value = 0.3 * value - x[(51 + step) % n];
            // fall through
        case 52:
            value = value * x[52 % n] + 3.2;
            state = 135 + (value > 3.0);
            break;
        case 53:
            value = value * x[53 % n] + 4.3;
            state = 22 + (value > 3.0);
            break;
        case 54:
            value = 0.3 * value - x[(54 + step) % n];
            // fall through
        case 55:
            value = value * x[55 % n] + 6.5;
            state = 96 + (value > 3.0);
            break;
        case 56:
            value = value * x[56 % n] + 0.6;
            state = 133 + (value > 3.0);
            break;
        case 57:
            value = 0.3 * value - x[(57 + step) % n];
            // fall through
        case 58:
            value = value * x[58 % n] + 2.8;
            state = 57 + (value > 3.0);
            break;
        case 59:
            value = value * x[59 % n] + 3.9;
            state = 94 + (value > 3.0);
            break;
        case 60:
            value = 0.3 * value - x[(60 + step) % n];
            // fall through
        case 61:
            value = value * x[61 % n] + 5.1;
            state = 18 + (value > 3.0);
            break;
        case 62:
            value = value * x[62 % n] + 6.2;
            state = 55 + (value > 3.0);
            break;
        case 63:
            value = 0.3 * value - x[(63 + step) % n];
            // fall through
        case 64:
            value = value * x[64 % n] + 1.4;
            state = 129 + (value > 3.0);
            break;
        case 65:
            value = value * x[65 % n] + 2.5;
            state = 16 + (value > 3.0);
            break;
        case 66:
            value = 0.3 * value - x[(66 + step) % n];
            // fall through
        case 67:
            value = value * x[67 % n] + 4.7;
            state = 90 + (value > 3.0);
            break;
        case 68:
            value = value * x[68 % n] + 5.8;
            state = 127 + (value > 3.0);
            break;
        case 69:
            value = 0.3 * value - x[(69 + step) % n];
            // fall through
        case 70:
            value = value * x[70 % n] + 0.0;
            state = 51 + (value > 3.0);
            break;
        case 71:
            value = value * x[71 % n] + 1.1;
            state = 88 + (value > 3.0);
            break;
        case 72:
            value = 0.3 * value - x[(72 + step) % n];
            // fall through
        case 73:
            value = value * x[73 % n] + 3.3;
            state = 12 + (value > 3.0);
            break;
        case 74:
            value = value * x[74 % n] + 4.4;
            state = 49 + (value > 3.0);
            break;
        case 75:
            value = 0.3 * value - x[(75 + step) % n];
            // fall through
        case 76:
            value = value * x[76 % n] + 6.6;
            state = 123 + (value > 3.0);
            break;
        case 77:
            value = value * x[77 % n] + 0.7;
            state = 10 + (value > 3.0);
            break;
        case 78:
            value = 0.3 * value - x[(78 + step) % n];
            // fall through
        case 79:
            value = value * x[79 % n] + 2.9;
            state = 84 + (value > 3.0);
            break;
        case 80:
            value = value * x[80 % n] + 3.0;
            state = 121 + (value > 3.0);
            break;
        case 81:
            value = 0.3 * value - x[(81 + step) % n];
            // fall through
        case 82:
            value = value * x[82 % n] + 5.2;
            state = 45 + (value > 3.0);
            break;
        case 83:
            value = value * x[83 % n] + 6.3;
            state = 82 + (value > 3.0);
            break;
        case 84:
            value = 0.3 * value - x[(84 + step) % n];
            // fall through
        case 85:
            value = value * x[85 % n] + 1.5;
            state = 6 + (value > 3.0);
            break;
        case 86:
            value = value * x[86 % n] + 2.6;
            state = 43 + (value > 3.0);
            break;
        case 87:
            value = 0.3 * value - x[(87 + step) % n];
            // fall through
        case 88:
            value = value * x[88 % n] + 4.8;
            state = 117 + (value > 3.0);
            break;
        case 89:
            value = value * x[89 % n] + 5.9;
            state = 4 + (value > 3.0);
            break;
        case 90:
            value = 0.3 * value - x[(90 + step) % n];
            // fall through
        case 91:
            value = value * x[91 % n] + 0.1;
            state = 78 + (value > 3.0);
            break;
        case 92:
            value = value * x[92 % n] + 1.2;
            state = 115 + (value > 3.0);
            break;
        case 93:
            value = 0.3 * value - x[(93 + step) % n];
            // fall through
        case 94:
            value = value * x[94 % n] + 3.4;
            state = 39 + (value > 3.0);
            break;
        case 95:
            value = value * x[95 % n] + 4.5;
            state = 76 + (value > 3.0);
            break;
        case 96:
            value = 0.3 * value - x[(96 + step) % n];
            // fall through
        case 97:
            value = value * x[97 % n] + 6.7;
            state = 0 + (value > 3.0);
            break;
        case 98:
            value = value * x[98 % n] + 0.8;
            state = 37 + (value > 3.0);
            break;
        case 99:
            value = 0.3 * value - x[(99 + step) % n];
            // fall through
        case 100:
            value = value * x[100 % n] + 2.0;
            state = 111 + (value > 3.0);
            break;
        case 101:
            value = value * x[101 % n] + 3.1;
            state = 148 + (value > 3.0);
            break;
        case 102:
            value = 0.3 * value - x[(102 + step) % n];
            // fall through
        case 103:
            value = value * x[103 % n] + 5.3;
            state = 72 + (value > 3.0);
            break;
        case 104:
            value = value * x[104 % n] + 6.4;
            state = 109 + (value > 3.0);
            break;
        case 105:
            value = 0.3 * value - x[(105 + step) % n];
            // fall through
        case 106:
            value = value * x[106 % n] + 1.6;
            state = 33 + (value > 3.0);
            break;
        case 107:
            value = value * x[107 % n] + 2.7;
            state = 70 + (value > 3.0);
            break;
        case 108:
            value = 0.3 * value - x[(108 + step) % n];
            // fall through
        case 109:
            value = value * x[109 % n] + 4.9;
            state = 144 + (value > 3.0);
            break;
        case 110:
            value = value * x[110 % n] + 5.0;
            state = 31 + (value > 3.0);
            break;
        case 111:
            value = 0.3 * value - x[(111 + step) % n];
            // fall through
        case 112:
            value = value * x[112 % n] + 0.2;
            state = 105 + (value > 3.0);
            break;
        case 113:
            value = value * x[113 % n] + 1.3;
            state = 142 + (value > 3.0);
            break;
        case 114:
            value = 0.3 * value - x[(114 + step) % n];
            // fall through
        case 115:
            value = value * x[115 % n] + 3.5;
            state = 66 + (value > 3.0);
            break;
        case 116:
            value = value * x[116 % n] + 4.6;
            state = 103 + (value > 3.0);
            break;
        case 117:
            value = 0.3 * value - x[(117 + step) % n];
            // fall through
        case 118:
            value = value * x[118 % n] + 6.8;
            state = 27 + (value > 3.0);
            break;
        case 119:
            value = value * x[119 % n] + 0.9;
            state = 64 + (value > 3.0);
            break;
        case 120 ... 160:
            value = value > 4.0 ? value * 0.25 + x[0] : value + x[n - 1];
            state = state % 50 + 1;
            break;
        case 1000000:
            return value;
        default:
            value *= 0.9;
            state = 7;
        }
        if (value > 50.0 || value < -50.0)
            value *= 0.01;
    }
    return value;
}
