/** The original vendor's type names, by which clients decode. */
export const types = {
  empty: 'type.googleapis.com/google.protobuf.Empty',
  errorInfo: 'type.googleapis.com/google.rpc.ErrorInfo',
  badRequest: 'type.googleapis.com/google.rpc.BadRequest',
} as const
