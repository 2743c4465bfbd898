{{/* The pod template of both engines. */}}
{{- define "strongroom.pod" -}}
{{- $v := .Values -}}
{{- $postgres := include "strongroom.postgres" . -}}
metadata:
  labels:
    {{- include "strongroom.selector" . | nindent 4 }}
    app.kubernetes.io/component: server
    {{- with $v.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # New settings need new pods.
    checksum/settings: {{ include "strongroom.settings" . | sha256sum }}
    {{- with $v.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "strongroom.fullname" . }}
  automountServiceAccountToken: {{ $v.serviceAccount.automountToken }}
  enableServiceLinks: false
  {{- with $v.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  {{- with $v.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  # Longer than the drain and the shutdown together.
  terminationGracePeriodSeconds: {{ add $v.drainDelaySeconds $v.shutdownTimeoutSeconds 10 }}
  securityContext:
    {{- include "strongroom.podSecurity" . | nindent 4 }}
  containers:
    - name: strongroom
      image: {{ include "strongroom.image" . }}
      imagePullPolicy: {{ $v.image.pullPolicy }}
      args: [serve]
      env:
        - { name: STRONGROOM_CONFIG, value: /etc/strongroom/settings/strongroom.yaml }
        {{- if $postgres }}
        {{- with include "strongroom.databaseEnv" . }}{{ nindent 8 (trim .) }}{{ end }}
        {{- end }}
        {{- with $v.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports:
        - { name: api, containerPort: 8080 }
        - { name: operator, containerPort: 8081 }
      # Nothing listens while the start waits for the database, the root key or a migration.
      startupProbe:
        {{- include "strongroom.alive" . | nindent 8 }}
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: {{ div (add $v.database.waitSeconds $v.probes.startSeconds 4) 5 }}
      readinessProbe:
        {{- include "strongroom.ready" . | nindent 8 }}
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      livenessProbe:
        {{- include "strongroom.alive" . | nindent 8 }}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      resources:
        {{- toYaml $v.resources | nindent 8 }}
      securityContext:
        {{- include "strongroom.containerSecurity" . | nindent 8 }}
      volumeMounts:
        - { name: settings, mountPath: /etc/strongroom/settings, readOnly: true }
        - { name: secrets, mountPath: /etc/strongroom/secrets, readOnly: true }
        {{- if $v.rootKey.csi.driver }}
        - { name: root-key, mountPath: /etc/strongroom/csi, readOnly: true }
        {{- end }}
        {{- if $v.tls.secretName }}
        - { name: tls, mountPath: /etc/strongroom/tls, readOnly: true }
        {{- end }}
        {{- if $postgres }}
        {{- with include "strongroom.databaseMount" . }}{{ nindent 8 (trim .) }}{{ end }}
        {{- end }}
        - { name: data, mountPath: /var/lib/strongroom }
        {{- if include "strongroom.witnessVolume" . }}
        - { name: witness, mountPath: /var/lib/strongroom-witness }
        {{- end }}
        - { name: tmp, mountPath: /tmp }
        {{- with $v.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - { name: settings, configMap: { name: {{ include "strongroom.fullname" . }} } }
    # With fsGroup the files have owner root, mode 0440 and the group of the process.
    - name: secrets
      projected:
        defaultMode: 0440
        sources:
          {{- with $v.rootKey.secret }}
          {{- if .name }}
          - secret: { name: {{ .name }}, items: [{ key: {{ .key }}, path: root-key }] }
          {{- end }}
          {{- end }}
          {{- range include "strongroom.secretFiles" . | fromYamlArray }}
          {{- with (set (index $v.secrets .value | deepCopy) "path" .setting) }}
          {{- if .name }}
          - secret: { name: {{ .name }}, items: [{ key: {{ .key }}, path: {{ .path }} }] }
          {{- end }}
          {{- end }}
          {{- end }}
    {{- with $v.rootKey.csi }}
    {{- if .driver }}
    - name: root-key
      csi:
        driver: {{ .driver }}
        readOnly: true
        {{- with .attributes }}
        volumeAttributes:
          {{- toYaml . | nindent 10 }}
        {{- end }}
        {{- with .nodePublishSecret }}
        nodePublishSecretRef: { name: {{ . }} }
        {{- end }}
    {{- end }}
    {{- end }}
    {{- with $v.tls.secretName }}
    - { name: tls, secret: { secretName: {{ . }}, defaultMode: 0440 } }
    {{- end }}
    {{- if $postgres }}
    {{- with include "strongroom.databaseVolume" . }}{{ nindent 4 (trim .) }}{{ end }}
    - { name: data, emptyDir: { sizeLimit: 64Mi } }
    {{- end }}
    - { name: tmp, emptyDir: { sizeLimit: 1Gi } }
    {{- with $v.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  topologySpreadConstraints:
    {{- range $v.topologySpread }}
    - maxSkew: 1
      topologyKey: {{ .topologyKey }}
      whenUnsatisfiable: {{ .whenUnsatisfiable }}
      labelSelector:
        matchLabels:
          {{- include "strongroom.selector" $ | nindent 10 }}
          app.kubernetes.io/component: server
      {{- if $postgres }}
      matchLabelKeys: [pod-template-hash]
      {{- end }}
    {{- end }}
  {{- with $v.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $v.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $v.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* A witness file on SQLite has a volume of its own: a restored snapshot of the database
must not bring back the witness too. */}}
{{- define "strongroom.witnessVolume" -}}
{{ if not (or (include "strongroom.postgres" .) .Values.witness.url) }}yes{{ end }}
{{- end }}
