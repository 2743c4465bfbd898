package checkup

import (
	"fmt"
	"io"
	"strings"

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
			value := m.GetGauge().GetValue() + m.GetCounter().GetValue()
			sums[name] += value
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			if len(labels) > 0 {
				sums[name+"{"+strings.Join(labels, ",")+"}"] = value
			}
		}
	}
	return sums, nil
}
