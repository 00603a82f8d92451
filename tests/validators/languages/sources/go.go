package store

import (
	"errors"
	"fmt"
	"sort"
)

const text = `raw {( " '`

// ErrFull is said of a full store.
var ErrFull = errors.New("store: full")

var sizes = []struct{ lo, hi rune }{
	{0x1e, 0x2e},
	{'(', '\''},
}

type Key interface {
	~int | ~string
}

type Store[K Key, V any] struct {
	kept  map[K]V
	limit int `json:"limit"`
	done  chan struct{}
}

func New[K Key, V any](limit int) *Store[K, V] {
	return &Store[K, V]{
		kept:  make(map[K]V, limit),
		limit: limit,
	}
}

func (s *Store[K, V]) Put(key K, value V) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("store: %v {", r)
		}
	}()
	if _, ok := s.kept[key]; !ok && len(s.kept) >= s.limit {
		return ErrFull
	} else if ok {
		s.kept[key] = value
	}
	switch n := len(s.kept); {
	case n > 3 && s.limit < 10,
		n == 7:
		s.limit++
	default:
		*(&s.limit) = n << 2
	}
	select {
	case <-s.done:
	default:
		go func() { s.done <- struct{}{} }()
	}
	for i, each := range []string{"a", "b"} {
		fmt.Println(i, each,
			len(s.kept))
	}
	return nil
}

func names(m map[string]int) []string {
	found := make([]string, 0, len(m))
	for name := range m {
		found = append(found, name)
	}
	sort.Slice(found, func(i, j int) bool { return found[i] < found[j] })
	return found
}
