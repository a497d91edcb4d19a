package main

func init() {
	// The days that everybody plays give badges.
	drillFeatures = append(drillFeatures, drillFeature{func(*drillProduct) {}, "user_ana", "/v1/me/badges", "badges", 5})
}
