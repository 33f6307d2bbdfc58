export const serviceName = 'hardware-security-modules'

/** Namespace of the original. */
export const originalNamespace = 'Microsoft.HardwareSecurityModules'

/** API versions of clients, the specified one first. */
export const versions = ['2018-10-31-preview', '2021-11-30'] as const

/** The only SKU of the specified version, whatever the actual device. */
export const skuName = 'SafeNet Luna Network HSM A790'

/** SKUs of a later version. */
export const laterSkus = ['payShield10K_LMK1_CPS60', 'payShield10K_LMK1_CPS250', 'payShield10K_LMK1_CPS2500'] as const
