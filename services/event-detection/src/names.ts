export const serviceName = 'event-detection'

/** Signing names of data plane and control plane clients. */
export const signingNames = ['ioteventsdata', 'iotevents'] as const

/** Service and resource types of ARNs. */
export const arnService = 'iotevents'
export const resources = {
  input: { path: 'input', type: 'AWS::IoTEvents::Input' },
  detector: { path: 'detectorModel', type: 'AWS::IoTEvents::DetectorModel' },
  alarm: { path: 'alarmModel', type: 'AWS::IoTEvents::AlarmModel' },
} as const
export type ResourceKind = keyof typeof resources
