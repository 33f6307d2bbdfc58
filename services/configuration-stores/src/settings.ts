/** What configuration stores must know of the platform; operators have nothing to decide about them. */
export interface ConfigurationStoresSettings {
  /**
   * The address of a store's key-values, with `{name}` for its name: in the path, as here, or in the host's name, as in
   * `https://{name}.config.example.com`. The path works in any case.
   */
  readonly endpoint: string
}

export const defaultSettings: ConfigurationStoresSettings = {
  endpoint: 'http://127.0.0.1:4000/configuration-stores/stores/{name}',
}

export const endpointOf = ({ endpoint }: ConfigurationStoresSettings, name: string) =>
  endpoint.replace('{name}', name.toLowerCase())
