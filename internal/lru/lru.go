// Package lru remembers what was used last, with golang-lru.
package lru

import lru "github.com/hashicorp/golang-lru/v2"

// Cache remembers a value for each of a number of keys: the keys that were used last.
type Cache[K comparable, V any] = lru.Cache[K, V]

// New makes a Cache of so many keys, one or more.
func New[K comparable, V any](size int) *Cache[K, V] {
	held, _ := lru.New[K, V](size) // fails for sizes below one only
	return held
}
