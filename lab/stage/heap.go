package stage

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// LiveHeap is what is alive after a collection, in bytes. The second one frees what
// finalizers and pools held through the first.
func LiveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// WatchHeap keeps the largest heap that is seen, in bytes, until the context ends.
func WatchHeap(ctx context.Context) *atomic.Uint64 {
	var most atomic.Uint64
	go func() {
		for ctx.Err() == nil {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapAlloc))
			time.Sleep(50 * time.Millisecond)
		}
	}()
	return &most
}
