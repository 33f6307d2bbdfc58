import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Compute',
  resources: {},
}
