import { brailleTranslation } from '@icosa/braille-translation'
import type { Service } from '@icosa/kernel'

/** Every service of the platform that is built, in the order of the specification. */
export const services: readonly Service[] = [brailleTranslation]

/** Services of the specification that are not built yet. They answer 501 with their name. */
export const unbuilt: readonly string[] = [
  'identity-connect',
  'contribution-collection',
  'unpack-analysis',
  'podcast-directory',
  'robotics-statistics',
  'language-authoring',
  'face-recognition',
  'banking',
  'hardware-security-modules',
  'configuration-stores',
  'api-diagnostics',
  'sql-virtual-machines',
  'sql-databases',
  'job-scheduler',
  'functions',
  'voice-messaging',
  'resource-groups',
  'event-detection',
  'backup',
]
