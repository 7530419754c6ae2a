//! A mirror of the private structs of quickjs-ng 0.16.2 that hold what depends on addresses by more than
//! being a pointer: the table of shapes, hashed by the address of the prototype. Also the place where dead
//! memory is wiped, so that builds at different bases can be compared word for word.
//!
//! Nothing here is trusted before it was checked: every pointer must lie in the slot, lists must be
//! closed, counts must agree. If anything differs (another QuickJS), the template is not relocatable, and
//! cells are built one by one. Never at run time of a cell.

use std::collections::BTreeSet;
use std::ffi::c_void;

use crate::arena::Header;

#[repr(C)]
#[derive(Clone, Copy)]
struct List {
    prev: usize,
    next: usize,
}

const ARENA_CLASSES: usize = 31;
const ARENA_BLOCK_BYTES: [usize; ARENA_CLASSES] = [
    16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 144, 160, 176, 192, 208, 224, 240, 256,
    288, 320, 352, 384, 416, 448, 480, 512,
];
const ARENA_HEADER_BYTES: usize = 40;
const NO_BLOCK: u16 = 0xffff;
const BLOCK_HEADER_BYTES: usize = 8;
const TYPE_SHAPE: u8 = 2;
const TYPE_VAR_REF: u8 = 3;

#[repr(C)]
struct Runtime {
    malloc_functions: [usize; 5],
    malloc_count: usize,
    malloc_size: usize,
    malloc_limit: usize,
    malloc_opaque: *mut c_void,
    arena_list: [List; ARENA_CLASSES],
    free_arena_list: [List; ARENA_CLASSES],
    zero_size_block: [u8; 8],
    info: usize,
    atom_counts: [i32; 4],
    atom_hash: usize,
    atom_array: usize,
    atom_free_index: i32,
    class_id_alloc: u32,
    class_count: i32,
    class_array: usize,
    context_list: List,
    gc_objects: List,
    gc_zero_ref_count: List,
    gc_tmp: List,
    gc_phase: u8,
    gc_threshold: usize,
    string_list: List,
    stack_size: usize,
    stack_top: usize,
    stack_limit: usize,
    current_exception: [usize; 2],
    flags: [u8; 3],
    current_stack_frame: usize,
    interrupt: [usize; 2],
    promise_hook: [usize; 2],
    parent_promise: usize,
    rejection_tracker: [usize; 2],
    job_list: List,
    normalize_has_attr: bool,
    normalize: usize,
    loader_has_attr: bool,
    loader: usize,
    check_attrs: usize,
    loader_opaque: usize,
    async_timestamp: i64,
    shared_buffers: [usize; 4],
    can_block: bool,
    shape_bits: i32,
    shape_buckets: i32,
    shape_count: i32,
    shape_table: usize,
}

#[repr(C)]
struct Arena {
    free_link: List,
    link: List,
    class: u8,
    used_blocks: u16,
    blocks: u16,
    first_free: u16,
}

#[repr(C)]
struct VarRef {
    link: List,
    flags: [u8; 4],
    padding: u32,
}

#[repr(C)]
struct Shape {
    link: List,
    is_hashed: u8,
    padding: [u8; 3],
    hash: u32,
    hash_mask: u32,
    prop_size: i32,
    prop_count: i32,
    deleted_count: i32,
    next: usize,
    proto: usize,
}

const _: () = assert!(std::mem::offset_of!(Shape, hash) == 20 && std::mem::offset_of!(Shape, next) == 40);
const _: () = assert!(std::mem::offset_of!(Arena, first_free) == 38);

/// Places that may differ between builds by more than the distance of their bases. Offsets from the base.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct AddressHashed {
    /// Words that are a pointer to a shape or zero: the buckets, and the links of their chains.
    pub(super) links: BTreeSet<usize>,
    /// Words whose upper half is the hash of a shape.
    pub(super) hashes: BTreeSet<usize>,
}

/// Wipes dead memory of a finished build and finds what is hashed by address.
///
/// # Safety
/// `header` is the header of a slot of `used` bytes in which a build just finished; nothing runs in it.
pub(super) unsafe fn prepare(
    header: *mut Header,
    base: usize,
    used: usize,
) -> Result<AddressHashed, &'static str> {
    let slot = Slot { base, used };
    // SAFETY: by contract; every address is checked to lie in the slot before it is read.
    unsafe {
        let rt = (*header).rt as usize;
        let runtime = slot.at::<Runtime>(rt)?;
        if (*runtime).malloc_opaque != header.cast() || (*runtime).malloc_limit != 0 {
            return Err("runtime");
        }
        if (*runtime).current_stack_frame != 0 || (*runtime).gc_phase != 0 || (*runtime).can_block {
            return Err("runtime state");
        }
        // Set again at each turn, and of no meaning in between.
        ((*runtime).stack_top, (*runtime).stack_limit, (*runtime).stack_size) = (0, 0, 0);
        wipe_free_blocks(&slot, runtime)?;
        let shapes = all_shapes(&slot, runtime)?;
        hashed_places(&slot, runtime, &shapes)
    }
}

struct Slot {
    base: usize,
    used: usize,
}

impl Slot {
    /// A pointer into the slot, or an error: the guess about the layout was wrong.
    fn at<T>(&self, address: usize) -> Result<*mut T, &'static str> {
        let end = address.checked_add(size_of::<T>()).ok_or("address")?;
        let inside =
            address >= self.base && end <= self.base + self.used && address.is_multiple_of(align_of::<T>());
        if inside { Ok(address as *mut T) } else { Err("address outside the slot") }
    }

    /// Addresses of the links of a closed list, its head not included.
    ///
    /// # Safety
    /// The slot's memory is readable and nothing writes it.
    unsafe fn list(&self, head: *const List) -> Result<Vec<usize>, &'static str> {
        let mut links = Vec::new();
        // SAFETY: each address is checked before it is read.
        unsafe {
            let (mut previous, mut at) = (head as usize, (*head).next);
            while at != head as usize {
                let link = self.at::<List>(at)?;
                if (*link).prev != previous || links.len() > self.used / size_of::<List>() {
                    return Err("list is not closed");
                }
                links.push(at);
                (previous, at) = (at, (*link).next);
            }
        }
        Ok(links)
    }
}

/// Zeroes the blocks on the free lists of QuickJS's small-block arenas; their bookkeeping stays.
unsafe fn wipe_free_blocks(slot: &Slot, runtime: *mut Runtime) -> Result<(), &'static str> {
    for (class, &block_bytes) in ARENA_BLOCK_BYTES.iter().enumerate() {
        // SAFETY: each address is checked before it is read.
        unsafe {
            for link in slot.list(&raw const (*runtime).arena_list[class])? {
                let arena_address = link - std::mem::offset_of!(Arena, link);
                let arena = slot.at::<Arena>(arena_address)?;
                if usize::from((*arena).class) != class || (*arena).used_blocks > (*arena).blocks {
                    return Err("arena");
                }
                let mut free = (*arena).first_free;
                let mut count = (*arena).blocks - (*arena).used_blocks;
                while free != NO_BLOCK {
                    if free >= (*arena).blocks || count == 0 {
                        return Err("free list");
                    }
                    count -= 1;
                    let block = arena_address + ARENA_HEADER_BYTES + usize::from(free) * block_bytes;
                    let next = slot.at::<u16>(block)?;
                    slot.at::<u8>(block + block_bytes - 1)?;
                    // Byte 2 is the class; the rest of the block, reference count included, is dead.
                    std::ptr::write_bytes((block + 3) as *mut u8, 0, block_bytes - 3);
                    free = *next;
                }
                if count != 0 {
                    return Err("free count");
                }
            }
        }
    }
    Ok(())
}

/// Also wipes the padding of live objects: it holds what was there before them.
unsafe fn all_shapes(slot: &Slot, runtime: *mut Runtime) -> Result<BTreeSet<usize>, &'static str> {
    let mut shapes = BTreeSet::new();
    // SAFETY: each address is checked before it is read.
    unsafe {
        for link in slot.list(&raw const (*runtime).gc_objects)? {
            let kind = slot.at::<u8>(link - BLOCK_HEADER_BYTES + 3)?;
            match *kind & 0x7f {
                TYPE_SHAPE => {
                    let shape = slot.at::<Shape>(link)?;
                    (*shape).padding = [0; 3];
                    if (*shape).is_hashed == 0 {
                        // Not in the table: leftovers of the shape it was cloned from.
                        ((*shape).hash, (*shape).next) = (0, 0);
                    }
                    shapes.insert(link);
                }
                TYPE_VAR_REF => (*slot.at::<VarRef>(link)?).padding = 0,
                _ => {}
            }
        }
    }
    Ok(shapes)
}

unsafe fn hashed_places(
    slot: &Slot,
    runtime: *mut Runtime,
    shapes: &BTreeSet<usize>,
) -> Result<AddressHashed, &'static str> {
    let mut places = AddressHashed::default();
    // SAFETY: each address is checked before it is read.
    unsafe {
        let (bits, table) = ((*runtime).shape_bits, (*runtime).shape_table);
        let buckets = usize::try_from((*runtime).shape_buckets).map_err(|_| "shape table")?;
        if !(1..=24).contains(&bits) || buckets != 1 << bits {
            return Err("shape table");
        }
        let mut seen = 0;
        for bucket in 0..buckets {
            let place = table + bucket * size_of::<usize>();
            let mut at = *slot.at::<usize>(place)?;
            places.links.insert(place - slot.base);
            while at != 0 {
                let shape = slot.at::<Shape>(at)?;
                let wrong_bucket = ((*shape).hash >> (32 - bits)) as usize != bucket;
                if !shapes.contains(&at) || (*shape).is_hashed != 1 || wrong_bucket || seen > shapes.len() {
                    return Err("shape chain");
                }
                seen += 1;
                places.links.insert(at + std::mem::offset_of!(Shape, next) - slot.base);
                places.hashes.insert(at + std::mem::offset_of!(Shape, is_hashed) - slot.base);
                at = (*shape).next;
            }
        }
        if usize::try_from((*runtime).shape_count) != Ok(seen) {
            return Err("shape count");
        }
    }
    Ok(places)
}
