import { isStoreTrouble } from './trouble.ts';

/** What is asked of the store; `away` if it cannot be reached. Rejects only for a bug. */
export async function reached<T>(what: () => Promise<T>): Promise<T | 'away'> {
  try {
    return await what();
  } catch (error) {
    if (!isStoreTrouble(error)) throw error;
    return 'away';
  }
}
