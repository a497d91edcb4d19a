package main

import (
	"net/http"
)

// makesFriends has players be friends, ask, and block.
func (d *drillProduct) makesFriends() {
	d.Helper()
	for _, pair := range [][2]string{{"user_ana", "user_ben"}, {"user_cid", "user_ana"}, {"user_dan", "user_eve"}} {
		d.must(pair[0], http.MethodPost, "/v1/friends/requests", `{"player":"`+pair[1]+`"}`)
		d.must(pair[1], http.MethodPost, "/v1/friends/requests/"+pair[0]+"/accept", "{}")
	}
	d.must("user_fay", http.MethodPost, "/v1/friends/requests", `{"player":"user_ana"}`)
	d.must("user_ben", http.MethodPut, "/v1/friends/blocks/user_eve", "{}")
}
