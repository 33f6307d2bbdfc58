export const serviceName = 'event-detection'

/** The names by which clients of the data plane and of the control plane sign. */
export const signingNames = ['ioteventsdata', 'iotevents'] as const

/** The service's part of an ARN, and the kinds of resources in it. */
export const arnService = 'iotevents'
export const resources = {
  input: { path: 'input', type: 'AWS::IoTEvents::Input' },
  detector: { path: 'detectorModel', type: 'AWS::IoTEvents::DetectorModel' },
  alarm: { path: 'alarmModel', type: 'AWS::IoTEvents::AlarmModel' },
} as const
export type ResourceKind = keyof typeof resources
