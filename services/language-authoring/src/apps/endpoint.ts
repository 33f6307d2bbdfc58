import { originalRoots } from '../names.ts'

/** Where an app answers. */
export const endpointOf = (baseUrl: string, app: string, slot: 'production' | 'staging'): string =>
  `${baseUrl.replace(/\/$/, '')}${originalRoots.prediction}/apps/${app}/slots/${slot}/predict`
