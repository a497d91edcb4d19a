// Package lru remembers what was used last. It wraps golang-lru so that its code is linked
// once: with a copy for each type of key, a function would link twelve, a quarter of a megabyte.
package lru

import lru "github.com/hashicorp/golang-lru/v2"

// Cache remembers a value for each of a number of keys: the keys that were used last. It is
// safe for concurrent use.
type Cache[K comparable, V any] struct{ held *lru.Cache[any, any] }

// New makes a Cache of so many keys, one or more.
func New[K comparable, V any](size int) *Cache[K, V] {
	held, _ := lru.New[any, any](size) // fails for sizes below one only
	return &Cache[K, V]{held}
}

// Get is the value of a key; it counts as a use of the key.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	held, ok := c.held.Get(key)
	if ok {
		value = held.(V)
	}
	return value, ok
}

// Peek is Get without counting as a use.
func (c *Cache[K, V]) Peek(key K) (value V, ok bool) {
	held, ok := c.held.Peek(key)
	if ok {
		value = held.(V)
	}
	return value, ok
}

// Contains reports whether a key is remembered, without using it.
func (c *Cache[K, V]) Contains(key K) bool { return c.held.Contains(key) }

// Add sets the value of a key. It reports whether the key that was used longest ago was
// dropped for it.
func (c *Cache[K, V]) Add(key K, value V) (evicted bool) { return c.held.Add(key, value) }

// Remove forgets a key.
func (c *Cache[K, V]) Remove(key K) { c.held.Remove(key) }

// Purge forgets everything.
func (c *Cache[K, V]) Purge() { c.held.Purge() }

// Keys are those that are remembered, in the order of their last use, oldest first.
func (c *Cache[K, V]) Keys() []K {
	keys := make([]K, 0, c.Len())
	for _, key := range c.held.Keys() {
		keys = append(keys, key.(K))
	}
	return keys
}

// Len is how many keys are remembered.
func (c *Cache[K, V]) Len() int { return c.held.Len() }
