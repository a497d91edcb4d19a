// Package lru remembers what was used last: golang-lru, with one copy of its code for
// whatever is remembered by one type of key. For each type of value there would be
// another, and each function would link some twenty of them.
package lru

import lru "github.com/hashicorp/golang-lru/v2"

// Cache remembers a value for each of a number of keys, those that were used last. It is
// safe for concurrent use.
type Cache[K comparable, V any] struct{ held *lru.Cache[K, any] }

// New makes a Cache of so many keys, one or more.
func New[K comparable, V any](size int) *Cache[K, V] {
	held, _ := lru.New[K, any](size) // fails for sizes below one only
	return &Cache[K, V]{held}
}

// Get is the value of a key, which is thereby used.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	held, ok := c.held.Get(key)
	if ok {
		value = held.(V)
	}
	return value, ok
}

// Peek is Get, without using the key.
func (c *Cache[K, V]) Peek(key K) (value V, ok bool) {
	held, ok := c.held.Peek(key)
	if ok {
		value = held.(V)
	}
	return value, ok
}

// Contains reports whether a key is remembered, without using it.
func (c *Cache[K, V]) Contains(key K) bool { return c.held.Contains(key) }

// Add remembers the value of a key, in place of one that it has. It reports whether the
// key that was used longest ago is forgotten for it.
func (c *Cache[K, V]) Add(key K, value V) (evicted bool) { return c.held.Add(key, value) }

// Remove forgets a key.
func (c *Cache[K, V]) Remove(key K) { c.held.Remove(key) }

// Purge forgets everything.
func (c *Cache[K, V]) Purge() { c.held.Purge() }

// Keys are those that are remembered, the one first that was used longest ago.
func (c *Cache[K, V]) Keys() []K { return c.held.Keys() }

// Len is how many keys are remembered.
func (c *Cache[K, V]) Len() int { return c.held.Len() }
