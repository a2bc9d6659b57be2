import { checkOften } from './signed/often.ts';

checkOften();
