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
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
envFrom:
  - secretRef:
      name: {{ required "Set existingSecret to the name of your secret." .root.Values.existingSecret }}
env:
  {{- range $name, $value := .root.Values.settings }}
  - name: {{ $name }}
    value: {{ required (printf "Set settings.%s: docs/operate/configuration.md says to what." $name) $value | quote }}
  {{- end }}
  {{- if eq .component "machines" }}
  - { name: ICOSA_MACHINES, value: 'true' }
  - { name: ICOSA_MACHINES_FOLDER, value: /var/lib/icosa-machines }
  - { name: POD_NAME, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
  - name: ICOSA_MACHINES_ADDRESS
    value: $(POD_NAME).{{ .root.Release.Name }}-machines.{{ .root.Release.Namespace }}.svc
  {{- end }}
  {{- with .root.Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
securityContext:
  {{- if .root.Values.privileged }}
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
  {{- if eq .component "machines" }}
  - { name: machines, mountPath: /var/lib/icosa-machines }
  {{- end }}
  {{- with .root.Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "icosa.probes" -}}
ports:
  - { name: http, containerPort: 4000 }
  - { name: metrics, containerPort: 9464 }
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
# A busy node may miss one. A node that stops leaves the service at once, whatever its probe says.
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 3
{{- end }}

{{- define "icosa.volumes" -}}
volumes:
  - { name: data, emptyDir: {} }
  - { name: tmp, emptyDir: {} }
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "icosa.pod" -}}
terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
automountServiceAccountToken: false
{{- if not .root.Values.privileged }}
securityContext:
  runAsNonRoot: true
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch # PostgreSQL refuses folders that a group may write to
  seccompProfile: { type: RuntimeDefault }
{{- end }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "icosa.selector" . | nindent 8 }}
{{- end }}
