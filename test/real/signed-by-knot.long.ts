import { checkOftenResigned } from './signed/often.ts';
import { nsec } from './signed/world/world.ts';

checkOftenResigned(['Knot', 'RSASHA256', nsec]);
