package checkup

import (
	"io"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Metrics parses a page of /metrics in the Prometheus text format, for [Instance].
func Metrics(page io.Reader) (map[string]float64, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(page)
	if err != nil {
		return nil, err
	}
	sums := map[string]float64{}
	for name, family := range families {
		for _, m := range family.GetMetric() {
			sums[name] += m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	return sums, nil
}
