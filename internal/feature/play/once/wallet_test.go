package once_test

import _ "github.com/framedle/leaderboards/internal/feature/wallet" // plays that earn
