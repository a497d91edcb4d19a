package main

import "net/http"

func init() {
	spend := func(d *drillProduct) {
		d.must("user_ben", http.MethodPost, "/v1/me/wallets/coins/spend", `{"amount":12,"item":"hat"}`)
		d.must("user_cid", http.MethodPost, "/v1/me/wallets/coins/spend", `{"amount":3,"item":"cap"}`)
	}
	drillFeatures = append(drillFeatures,
		drillFeature{spend, "user_ben", "/v1/me/wallets", "spends", 2},
		drillFeature{func(*drillProduct) {}, "user_cid", "/v1/me/wallets", "earned", 5},
	)
}
