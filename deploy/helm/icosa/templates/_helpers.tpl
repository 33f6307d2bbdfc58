{{- define "icosa.labels" -}}
app.kubernetes.io/name: icosa
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "icosa.selector" -}}
app.kubernetes.io/name: icosa
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "icosa.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
envFrom:
  - secretRef:
      name: {{ required "Set existingSecret to the name of your secret." .Values.existingSecret }}
env:
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ required (printf "Set settings.%s." $name) $value | quote }}
  {{- end }}
securityContext:
  {{- if .Values.privileged }}
  runAsUser: 0
  privileged: true
  {{- else }}
  runAsNonRoot: true
  runAsUser: 1000
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
  {{- end }}
volumeMounts:
  - { name: data, mountPath: /var/lib/icosa }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "icosa.probes" -}}
ports:
  - { name: http, containerPort: 4000 }
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 2
  failureThreshold: 1
{{- end }}

{{- define "icosa.volumes" -}}
volumes:
  - { name: data, emptyDir: {} }
  - { name: tmp, emptyDir: {} }
{{- end }}
