package gamefile_test

import _ "github.com/framedle/leaderboards/internal/product/app" // sections of all features
