//go:build !unix

package queue_test

import (
	"testing"
	"time"
)

func (k *kit) cpu(testing.TB) (own, redis time.Duration) { return 0, 0 }
