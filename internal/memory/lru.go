package memory

import lru "github.com/hashicorp/golang-lru/v2"

// NewLRU hides an error that only a size below one can give.
func NewLRU[K comparable, V any](size int) *lru.Cache[K, V] {
	c, _ := lru.New[K, V](size)
	return c
}
