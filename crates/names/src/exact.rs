//! Products of bytes that are exact on every processor.
//!
//! Quantized models multiply activations of 0 to 255 by weights of -128 to 127. Processors of the
//! x86 family without VNNI add two such products in 16 bits, which cut off what is larger: names
//! would be found on one machine and not on another. There each activation is halved, and what the
//! halves lose is multiplied on its own: `a = 2h + l`, so that no sum leaves its 16 bits and the
//! result is the same to the last bit, for twice the products.

use std::collections::BTreeSet;

/// Whether products of bytes are cut off on this processor.
pub(crate) fn wanted() -> bool {
    #[cfg(target_arch = "x86_64")]
    return !(is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vnni"));
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// A model (ONNX) whose `MatMulInteger` are exact everywhere; nothing if it is no such file.
pub(crate) fn halved(model: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(model.len() + (64 << 10));
    for field in Fields(model) {
        let field = field?;
        match field.bytes {
            Some(graph) if field.number == MODEL_GRAPH => {
                write(&mut out, MODEL_GRAPH, &of_graph(graph)?);
            }
            _ => out.extend_from_slice(field.whole),
        }
    }
    Some(out)
}

// Numbers of fields and types, from ONNX's onnx.proto.
const MODEL_GRAPH: u64 = 7;
const GRAPH_NODE: u64 = 1;
const GRAPH_INITIALIZER: u64 = 5;
const NODE_INPUT: u64 = 1;
const NODE_OUTPUT: u64 = 2;
const NODE_OP_TYPE: u64 = 4;
const NODE_ATTRIBUTE: u64 = 5;
const UINT8: u8 = 2;
const INT32: u8 = 6;

/// The name of the constant 2.
const TWO: &str = "storymill/two";

fn of_graph(graph: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(graph.len() + (64 << 10));
    let mut parted = BTreeSet::new();
    for field in Fields(graph) {
        let field = field?;
        let node = field.bytes.filter(|_| field.number == GRAPH_NODE).map(Node::of);
        match node {
            Some(node) if node.as_ref()?.op == "MatMulInteger" => {
                product(&mut out, &node?, &mut parted)?;
            }
            _ => out.extend_from_slice(field.whole),
        }
    }
    if !parted.is_empty() {
        // A scalar: its type, its one number, its name.
        let mut two = vec![2 << 3, INT32, (5 << 3) | 2, 1, 2];
        write(&mut two, 8, TWO.as_bytes());
        write(&mut out, GRAPH_INITIALIZER, &two);
    }
    Some(out)
}

/// Writes a product as the sum of those of both parts. `parted` are the activations that were parted.
fn product<'m>(out: &mut Vec<u8>, node: &Node<'m>, parted: &mut BTreeSet<&'m str>) -> Option<()> {
    let mut inputs = node.inputs.iter().copied();
    let (all, weights) = (inputs.next()?, inputs.next()?);
    let (zero, weights_zero) = (inputs.next().unwrap_or(""), inputs.next().unwrap_or(""));
    let named = |what: &str| format!("{all}/{what}");
    let [wide, wide_half, even, wide_odd] = ["wide", "wide half", "even", "wide odd"].map(named);
    let [half, odd] = ["half", "odd"].map(named);
    if parted.insert(all) {
        op(out, "Cast", &[all], &wide, Some(INT32));
        op(out, "Div", &[&wide, TWO], &wide_half, None);
        op(out, "Mul", &[&wide_half, TWO], &even, None);
        op(out, "Sub", &[&wide, &even], &wide_odd, None);
        op(out, "Cast", &[&wide_half], &half, Some(UINT8));
        op(out, "Cast", &[&wide_odd], &odd, Some(UINT8));
    }
    let sum = node.output;
    let [of_half, of_odd, twice] =
        ["of half", "of odd", "twice"].map(|what| format!("{sum}/{what}"));
    op(out, "MatMulInteger", &[&half, weights, "", weights_zero], &of_half, None);
    op(out, "MatMulInteger", &[&odd, weights, zero, weights_zero], &of_odd, None);
    op(out, "Add", &[&of_half, &of_half], &twice, None);
    op(out, "Add", &[&twice, &of_odd], sum, None);
    Some(())
}

/// Writes a node; `to` is the type that a `CastFile` makes.
fn op(out: &mut Vec<u8>, kind: &str, inputs: &[&str], output: &str, to: Option<u8>) {
    let mut node = Vec::new();
    for input in inputs {
        write(&mut node, NODE_INPUT, input.as_bytes());
    }
    write(&mut node, NODE_OUTPUT, output.as_bytes());
    write(&mut node, 3, output.as_bytes());
    write(&mut node, NODE_OP_TYPE, kind.as_bytes());
    if let Some(to) = to {
        // An attribute: its name, its number, that it is one.
        let mut attribute = Vec::new();
        write(&mut attribute, 1, b"to");
        attribute.extend([3 << 3, to, 0xa0, 0x01, 2]);
        write(&mut node, NODE_ATTRIBUTE, &attribute);
    }
    write(out, GRAPH_NODE, &node);
}

/// What is read of a node.
struct Node<'m> {
    op: &'m str,
    inputs: Vec<&'m str>,
    output: &'m str,
}

impl<'m> Node<'m> {
    fn of(bytes: &'m [u8]) -> Option<Self> {
        let mut node = Self { op: "", inputs: Vec::new(), output: "" };
        for field in Fields(bytes) {
            let field = field?;
            let text = || std::str::from_utf8(field.bytes?).ok();
            match field.number {
                NODE_INPUT => node.inputs.push(text()?),
                NODE_OUTPUT => node.output = text()?,
                NODE_OP_TYPE => node.op = text()?,
                _ => {}
            }
        }
        Some(node)
    }
}

/// A field of a protocol buffer.
struct Field<'m> {
    number: u64,
    /// Its bytes, if it is of a length of its own.
    bytes: Option<&'m [u8]>,
    /// All of it, with number and length.
    whole: &'m [u8],
}

/// The fields of a message, one after another; nothing where it is no message.
struct Fields<'m>(&'m [u8]);

impl<'m> Iterator for Fields<'m> {
    type Item = Option<Field<'m>>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.0.is_empty()).then(|| {
            let field = self.read();
            if field.is_none() {
                self.0 = &[];
            }
            field
        })
    }
}

impl<'m> Fields<'m> {
    fn read(&mut self) -> Option<Field<'m>> {
        let whole = self.0;
        let key = self.number()?;
        let mut bytes = None;
        match key & 7 {
            0 => drop(self.number()?),
            1 => self.0 = self.0.get(8..)?,
            2 => {
                let length = usize::try_from(self.number()?).ok()?;
                bytes = Some(self.0.get(..length)?);
                self.0 = &self.0[length..];
            }
            5 => self.0 = self.0.get(4..)?,
            _ => return None,
        }
        Some(Field { number: key >> 3, bytes, whole: &whole[..whole.len() - self.0.len()] })
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for place in 0..10 {
            let (first, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(first & 0x7f).checked_shl(7 * place)?;
            if first & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

/// Writes a field that has a length of its own.
fn write(out: &mut Vec<u8>, number: u64, bytes: &[u8]) {
    let mut put = |mut number: u64| {
        while number >= 0x80 {
            out.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        out.push(number.to_le_bytes()[0]);
    };
    put(number << 3 | 2);
    put(bytes.len() as u64);
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use rten::Model;
    use rten_tensor::{NdTensor, Tensor, prelude::*};

    use super::*;

    /// A model of one product: `a` of four bytes by eight columns of the same weights.
    fn model(weights: [i8; 4], zero: u8) -> Vec<u8> {
        let tensor = |name: &str, kind: u8, dims: &[u8], raw: &[u8]| {
            let mut tensor: Vec<u8> = dims.iter().flat_map(|dim| [1 << 3, *dim]).collect();
            tensor.extend([2 << 3, kind]);
            write(&mut tensor, 8, name.as_bytes());
            write(&mut tensor, 9, raw);
            tensor
        };
        let raw: Vec<u8> = weights.iter().flat_map(|weight| [weight.cast_unsigned(); 8]).collect();
        let mut graph = Vec::new();
        op(&mut graph, "Cast", &["wide a"], "a", Some(UINT8));
        op(&mut graph, "MatMulInteger", &["a", "w", "zero"], "product", None);
        op(&mut graph, "Add", &["product", "product"], "sum", None);
        write(&mut graph, GRAPH_INITIALIZER, &tensor("w", 3, &[4, 8], &raw));
        write(&mut graph, GRAPH_INITIALIZER, &tensor("zero", UINT8, &[], &[zero]));
        for (number, name) in [(11, "wide a"), (12, "sum")] {
            let mut value = Vec::new();
            write(&mut value, 1, name.as_bytes());
            write(&mut graph, number, &value);
        }
        let mut opset = Vec::new();
        write(&mut opset, 1, b"");
        opset.extend([2 << 3, 17]);
        let mut model = vec![1 << 3, 8];
        write(&mut model, MODEL_GRAPH, &graph);
        write(&mut model, 8, &opset);
        model
    }

    fn run(model: Vec<u8>, row: [i32; 4]) -> Vec<i32> {
        let model = Model::load(model).unwrap();
        let nodes = ["wide a", "sum"].map(|name| model.node_id(name).unwrap());
        let input = NdTensor::from_data([1, 4], row.to_vec());
        let [sum] = model.run_n(vec![(nodes[0], input.view().into())], [nodes[1]], None).unwrap();
        let sum: Tensor<i32> = sum.try_into().unwrap();
        sum.to_vec()
    }

    #[test]
    fn products_are_exact_on_every_processor() {
        let rows = [[255; 4], [255, 254, 1, 0], [0; 4], [128, 255, 255, 3]];
        for weights in [[127; 4], [-128; 4], [127, 127, -128, -128], [1, -1, 90, 64]] {
            for (row, zero) in rows.into_iter().zip([0, 255, 7, 128]) {
                let product =
                    |(a, weight): (i32, i8)| 2 * (a - i32::from(zero)) * i32::from(weight);
                let wanted: i32 = row.into_iter().zip(weights).map(product).sum();
                let halved = halved(&model(weights, zero)).unwrap();
                assert_eq!(run(halved, row), [wanted; 8], "{row:?} {weights:?} {zero}");
            }
        }
    }

    #[test]
    fn what_is_no_model_is_left_alone() {
        let model = model([1; 4], 0);
        for length in [1, 5, model.len() / 2, model.len() - 1] {
            assert!(halved(&model[..length]).is_none(), "{length}");
        }
        assert_eq!(halved(&[]), Some(Vec::new()));
    }
}
