{{/* Names, at most 54 characters, to leave room for the suffixes. */}}
{{- define "strongroom.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 54 | trimSuffix "-" -}}
{{- end }}

{{- define "strongroom.fullname" -}}
{{- $name := include "strongroom.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 54 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 54 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 54 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "strongroom.selector" -}}
app.kubernetes.io/name: {{ include "strongroom.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Labels of everything but pods. */}}
{{- define "strongroom.labels" -}}
{{ include "strongroom.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "strongroom.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ default .Chart.AppVersion .Values.image.tag }}{{ end }}
{{- end }}

{{- define "strongroom.postgres" -}}
{{ if eq .Values.database.engine "postgres" }}yes{{ end }}
{{- end }}

{{/* The secrets that are mounted as files: value, setting, and what precedes the path in it. */}}
{{- define "strongroom.secretFiles" -}}
- { value: adminToken, setting: admin-token-file, prefix: "" }
- { value: gatewayToken, setting: gateway-token-file, prefix: "" }
- { value: receiptToken, setting: receipt-token-file, prefix: "" }
- { value: checkpointKey, setting: checkpoint-key, prefix: "file:" }
- { value: webhookSecret, setting: webhook-secret, prefix: "file:" }
- { value: oidcClientSecret, setting: admin-oidc-client-secret, prefix: "file:" }
- { value: witnessSecret, setting: witness-secret, prefix: "file:" }
{{- end }}

{{/* Checks that the schema cannot express. */}}
{{- define "strongroom.check" -}}
{{- $v := .Values -}}
{{- if not $v.secrets.adminToken.name -}}
{{- fail "secrets.adminToken.name: the console, the admin API and metrics need a token. Name a Secret with a file of tokens" -}}
{{- end -}}
{{- if not (or $v.rootKey.secret.name $v.rootKey.csi.driver $v.rootKey.urls) -}}
{{- fail "rootKey: no root key. Set rootKey.secret.name, rootKey.csi.driver or rootKey.urls" -}}
{{- end -}}
{{- if and $v.hardened (not (hasKey $v.settings "accounts")) -}}
{{- fail "settings.accounts: hardened requires this setting. Set it to jwt or gateway" -}}
{{- end -}}
{{- if and (hasKey $v.settings "tls-client-ca") (ne $v.probes.kind "exec") -}}
{{- fail "probes.kind: with settings.tls-client-ca the kubelet cannot send probes to the API listener. Set it to exec" -}}
{{- end -}}
{{- if and $v.serviceMonitor.enabled (not $v.serviceMonitor.tokenSecret.name) -}}
{{- fail "serviceMonitor.tokenSecret.name: metrics need a token. Name a Secret with a viewer's token" -}}
{{- end -}}
{{- if include "strongroom.postgres" . -}}
{{- if and $v.database.passfileSecret.name $v.database.passwordSecret.name -}}
{{- fail "database: set passfileSecret.name or passwordSecret.name, not both" -}}
{{- end -}}
{{- if and $v.hardened (not $v.witness.url) (not (hasKey $v.settings "checkpoint-sink")) -}}
{{- fail "witness.url: hardened needs a witness that all instances share (postgres://… or https://…), or settings.checkpoint-sink" -}}
{{- end -}}
{{- else -}}
{{- if or $v.database.url $v.database.passfileSecret.name $v.database.passwordSecret.name $v.database.caSecret.name -}}
{{- fail "database: url and its Secrets need engine postgres" -}}
{{- end -}}
{{- if $v.autoscaling.enabled -}}
{{- fail "autoscaling.enabled: SQLite has one instance. Set database.engine to postgres" -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The settings file. Numbers are whole ones; without int64, Helm writes 1000000 as 1e+06. */}}
{{- define "strongroom.settings" -}}
{{- $v := .Values -}}
data-dir: /var/lib/strongroom/data
listen: ":8080"
admin-listen: ":8081"
hardened: {{ $v.hardened }}
drain-delay: {{ $v.drainDelaySeconds }}s
shutdown-timeout: {{ $v.shutdownTimeoutSeconds }}s
{{- with $v.database.url }}
database: {{ . | quote }}
database-wait: {{ $v.database.waitSeconds }}s
{{- end }}
root-key:
{{- if $v.rootKey.secret.name }}
  - file:/etc/strongroom/secrets/root-key
{{- end }}
{{- if $v.rootKey.csi.driver }}
  - file:/etc/strongroom/csi/{{ $v.rootKey.csi.file }}
{{- end }}
{{- range $v.rootKey.urls }}
  - {{ . | quote }}
{{- end }}
{{- range include "strongroom.secretFiles" . | fromYamlArray }}
{{- if (index $v.secrets .value).name }}
{{ .setting }}: {{ .prefix }}/etc/strongroom/secrets/{{ .setting }}
{{- end }}
{{- end }}
{{- if $v.tls.secretName }}
tls-cert: /etc/strongroom/tls/tls.crt
tls-key: /etc/strongroom/tls/tls.key
admin-tls: true
{{- end }}
{{- if $v.witness.url }}
witness: {{ $v.witness.url | quote }}
{{- else if include "strongroom.postgres" . }}
witness: none
{{- else }}
witness: /var/lib/strongroom-witness/data/witness
{{- end }}
{{- range $name, $value := $v.settings }}
{{ $name }}: {{ if kindIs "float64" $value }}{{ int64 $value }}{{ else }}{{ toJson $value }}{{ end }}
{{- end }}
{{- end }}

{{/* What connects to PostgreSQL beside the URL, for the servers and the migration. */}}
{{- define "strongroom.databaseEnv" -}}
{{- with .Values.database -}}
{{- if .passfileSecret.name -}}
- { name: PGPASSFILE, value: /etc/strongroom/database/pgpass }
{{- end }}
{{- if .passwordSecret.name }}
- name: PGPASSWORD
  valueFrom: { secretKeyRef: { name: {{ .passwordSecret.name }}, key: {{ .passwordSecret.key }} } }
{{- end }}
{{- if .caSecret.name }}
- { name: PGSSLROOTCERT, value: /etc/strongroom/database/ca.crt }
{{- end }}
{{- end }}
{{- end }}

{{- define "strongroom.databaseVolume" -}}
{{- with .Values.database -}}
{{- if or .passfileSecret.name .caSecret.name -}}
- name: database
  projected:
    defaultMode: 0440
    sources:
      {{- if .passfileSecret.name }}
      - secret: { name: {{ .passfileSecret.name }}, items: [{ key: {{ .passfileSecret.key }}, path: pgpass }] }
      {{- end }}
      {{- if .caSecret.name }}
      - secret: { name: {{ .caSecret.name }}, items: [{ key: {{ .caSecret.key }}, path: ca.crt }] }
      {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "strongroom.databaseMount" -}}
{{- if or .Values.database.passfileSecret.name .Values.database.caSecret.name -}}
- { name: database, mountPath: /etc/strongroom/database, readOnly: true }
{{- end }}
{{- end }}

{{/* Pod Security "restricted". OnRootMismatch: with Always, each mount would make every file
of the volume writable for the group, and the service refuses such files. */}}
{{- define "strongroom.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .Values.podUser }}
runAsGroup: {{ .Values.podUser }}
fsGroup: {{ .Values.podUser }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "strongroom.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Whether the process works, and whether it can serve. */}}
{{- define "strongroom.alive" -}}
{{- if eq .Values.probes.kind "exec" -}}
tcpSocket: { port: api }
{{- else -}}
httpGet: { path: /healthz, port: api{{ if .Values.tls.secretName }}, scheme: HTTPS{{ end }} }
{{- end }}
{{- end }}

{{- define "strongroom.ready" -}}
{{- if eq .Values.probes.kind "exec" -}}
exec: { command: [/strongroom, healthcheck] }
{{- else -}}
httpGet: { path: /readyz, port: api{{ if .Values.tls.secretName }}, scheme: HTTPS{{ end }} }
{{- end }}
{{- end }}

{{/* DNS and the database. */}}
{{- define "strongroom.egress" -}}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
{{- if include "strongroom.postgres" . }}
- ports: [{ port: {{ .Values.networkPolicy.databasePort }}, protocol: TCP }]
{{- end }}
{{- end }}
