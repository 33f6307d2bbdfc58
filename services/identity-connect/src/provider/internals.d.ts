declare module 'oidc-provider/lib/helpers/weak_cache.js' {
  export default function internals(provider: import('oidc-provider').Provider): {
    configuration: { responseTypes: string[] }
  }
}
