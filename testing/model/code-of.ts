import { AppError } from '@/lib/shared/errors';

/** What a use case answered, or the code of its refusal. Anything else that goes wrong is thrown. */
export async function codeOf<T>(work: Promise<T>): Promise<{ value: T } | { code: string }> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof AppError) return { code: error.code };
    throw error;
  }
}
