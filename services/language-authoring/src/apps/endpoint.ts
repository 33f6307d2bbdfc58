import { originalRoots } from '../names.ts'

export const endpointOf = (baseUrl: string, app: string, slot: 'production' | 'staging'): string =>
  `${baseUrl.replace(/\/$/, '')}${originalRoots.prediction}/apps/${app}/slots/${slot}/predict`
